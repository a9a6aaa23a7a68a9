type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of `--secret` that a command line holds or names, as far as they are known before the command runs: an error
 * about any other word must not show them either. Files and commands are read later.
 */
export function secretWords(words: readonly string[], env: Environment): readonly string[] {
  const given = words.flatMap((word, at) => {
    if (word.startsWith('--secret=')) return [word.slice('--secret='.length)];
    return word === '--secret' ? (words[at + 1] ?? []) : [];
  });
  return [...given, env['WEBHOOK_REPLAY_SECRET'] ?? '']
    .map((text) => secretOf(text, env))
    .filter((value) => value !== '');
}

function secretOf(text: string, env: Environment): string {
  const [, kind, rest = ''] = /^(env|file|cmd):(.*)$/s.exec(text) ?? [];
  if (kind === 'env') return env[rest] ?? '';
  return kind === undefined ? text : '';
}
