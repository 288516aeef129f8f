const WIDTH = 120;

/** JSON in which each object and array that fits stays on its line, so that a page of settings has a line for each. */
export function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return `[\n${filled(value, inner)}\n${indent}]`;
  const members = Array.isArray(value)
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${compactJson(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

/** Names side by side, as many as fit. */
function filled(texts: readonly string[], indent: string): string {
  const lines = [''];
  for (const item of texts.map((text) => JSON.stringify(text))) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = `${indent}${item}`;
    else if (last.length + item.length + 2 < WIDTH) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(`${indent}${item}`);
  }
  return lines.join(',\n');
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
