/**
 * A command line that is longer than the terminal, on several lines the way a shell takes it. It is broken before options
 * only, so that no quoted word is torn.
 * @param width of each line, without what the caller puts before it
 */
export function foldCommand(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of line.split(/ (?=-{1,2}[A-Za-z])/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + ' \\ '.length <= width) lines[lines.length - 1] += ` ${part}`;
    else lines.push(part);
  }
  return lines.map((text, at) => (at < lines.length - 1 ? `${text} \\` : text));
}
