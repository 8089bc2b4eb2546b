import { postgresDialect } from '../postgres/connections/connection.ts';
import { postgresAddressIn } from '../postgres/connections/url.ts';
import { withConnection } from '../postgres/engine.ts';
import { dataFindings, type OnProgress, requireSchema } from './findings.ts';

/** Checks the rows of a database in one snapshot. */
export function checkPostgres(url: string, onProgress?: OnProgress): Promise<string[]> {
  return withConnection(postgresAddressIn(url), async (connection) => {
    await requireSchema(connection, postgresDialect);
    await connection.command(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
    );
    const findings = await dataFindings(connection, postgresDialect, onProgress);
    await connection.command('COMMIT');
    return findings;
  });
}
