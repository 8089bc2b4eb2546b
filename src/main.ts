process.title = 'linkfold';
const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2));
