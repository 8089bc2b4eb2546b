/** An option to complete. */
export interface Completed {
  /** Long and short form, with dashes. */
  readonly flags: readonly string[];
  readonly about: string;
  readonly takesValue: boolean;
  /** Allowed values; empty if any value is allowed. */
  readonly choices: readonly string[];
  /** Kind of record that the value refers to. */
  readonly kind: string | undefined;
}

/** A command and its possible completions. */
export interface Place {
  /** Full name of the command, such as `links list`. Empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly Completed[];
  /** Allowed values of the first argument. */
  readonly choices: readonly string[];
  /** Kind of record that the first argument refers to. */
  readonly kind: string | undefined;
}

/**
 * Creates the completion script for each shell. The names and values contain nothing that needs escaping inside single
 * quotes.
 */
export const shells: Readonly<Record<'bash' | 'zsh' | 'fish', (places: readonly Place[]) => string>> = {
  bash,
  zsh,
  fish,
};

function wordsOf({ commands, options, choices }: Place): string {
  return [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags)].join(
    ' ',
  );
}

/** Returns the branches of a shell `case` statement that tests the words before the one being completed. */
function branches(places: readonly Place[]) {
  const withValues = places.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map((option) => ({ path, option })),
  );
  const patternOf = (path: string, { flags }: Completed): string =>
    flags.map((flag) => `'${path} ${flag}'`).join('|');
  return {
    /**
     * Appends a command name to the path `at`. Option values cannot be confused with subcommands, because only commands
     * without subcommands have options with values.
     */
    paths: `      ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => `'${path}'`)
      .join('|')}) at=\${at:+$at }$word ;;`,
    values: withValues
      .filter(({ option }) => option.choices.length > 0)
      .map(({ path, option }) => `    ${patternOf(path, option)}) given='${option.choices.join(' ')}' ;;`)
      .join('\n'),
    kinds: withValues
      .filter(({ option }) => option.kind !== undefined)
      .map(({ path, option }) => `    ${patternOf(path, option)}) kind=${option.kind} ;;`)
      .join('\n'),
    otherValues: `    ${withValues
      .filter(({ option }) => option.choices.length === 0 && option.kind === undefined)
      .map(({ path, option }) => patternOf(path, option))
      .join('|')}) return 1 ;;`,
    words: places
      .map(
        (place) =>
          `      '${place.path}') given='${wordsOf(place)}'${place.kind === undefined ? '' : ` kind=${place.kind}`} ;;`,
      )
      .join('\n'),
  };
}

function bash(places: readonly Place[]): string {
  const { paths, values, kinds, otherValues, words } = branches(places);
  return `# Completion of linkfold for bash: eval "$(linkfold completion bash)"
_linkfold() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= given= kind= word i
  # bash parts --option=value into three words.
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${at:+$at }$word" in
${paths}
    esac
  done
  case "$at $prev" in
${values}
${kinds}
${otherValues}
    *) case "$at" in
${words}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$given" -- "$cur"))
  # Values from the server are not expanded.
  [ -n "$kind" ] && [[ $cur != -* ]] && while IFS= read -r word; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done < <(linkfold completion --values "$kind" 2>/dev/null)
  return 0
}
complete -o default -F _linkfold linkfold
`;
}

function zsh(places: readonly Place[]): string {
  const { paths, values, kinds, otherValues, words } = branches(places);
  return `#compdef linkfold
# Completion of linkfold for zsh: eval "$(linkfold completion zsh)", after compinit
_linkfold() {
  local at= given= kind= word prev=\${words[CURRENT-1]}
  for word in \${words[2,CURRENT-1]}; do
    case "\${at:+$at }$word" in
${paths}
    esac
  done
  case "$at $prev" in
${values}
${kinds}
${otherValues.replace('return 1', '_files; return')}
    *) case "$at" in
${words}
    esac ;;
  esac
  compadd -- \${=given}
  [[ -n $kind && $PREFIX != -* ]] && compadd -- \${(f)"$(linkfold completion --values $kind 2>/dev/null)"}
  [[ -n $PREFIX && $PREFIX != -* ]] && _files
}
compdef _linkfold linkfold
`;
}

function fish(places: readonly Place[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const paths = places.map(({ path }) => quoted(path)).join(' ');
  const asked = (kind: string): string => ` -xa '(linkfold completion --values ${kind} 2>/dev/null)'`;
  const lines = places.flatMap(({ path, commands, options, choices, kind }) => {
    const start = `complete -c linkfold -n ${quoted(`__linkfold_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ name, about }) => `${start} -f -a ${name} -d ${quoted(about)}`),
      ...choices.map((choice) => `${start} -f -a ${choice}`),
      ...(kind === undefined ? [] : [`${start}${asked(kind).replace('-xa', '-f -a')}`]),
      ...options.map(({ flags, about, takesValue, choices: values, kind: ofOption }) => {
        const named = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        const free = ofOption === undefined ? ' -r' : asked(ofOption);
        const value = values.length > 0 ? ` -xa ${quoted(values.join(' '))}` : takesValue ? free : '';
        return `${start} ${named.join(' ')}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# Completion of linkfold for fish: linkfold completion fish > ~/.config/fish/completions/linkfold.fish
function __linkfold_at
  set -l at
  for word in (commandline -opc)[2..-1]
    set -l further (string join ' ' -- $at $word)
    contains -- $further ${paths}; and set at $further
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
