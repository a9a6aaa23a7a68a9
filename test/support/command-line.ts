/** The words of a command line as a simple shell would split it: blanks separate, single and double quotes hold together. */
export function splitCommandLine(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
}
