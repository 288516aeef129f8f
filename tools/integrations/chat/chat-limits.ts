/** Checks of the arguments of Slack's Web API: lengths of texts, counts of blocks, required fields. */

const TEXT_MAX = { header: 150, section: 3_000, button: 75 };

/** The problems of a view, as `response_metadata.messages` lists them. */
export function problemsOfView(view: any): string[] {
  if (typeof view !== 'object' || view === null) return ['[ERROR] missing required field: view'];
  const problems = problemsOfBlocks(view.blocks, 100);
  if (view.type === 'modal') {
    for (const field of ['title', 'submit', 'close'])
      if (tooLong(view[field]?.text, 24))
        problems.push(`[ERROR] must be less than 25 characters [json-pointer:/view/${field}/text]`);
    if (!view.title?.text) problems.push('[ERROR] missing required field: title');
    const hasInput = (view.blocks ?? []).some((block: any) => block.type === 'input');
    if (hasInput && !view.submit)
      problems.push('[ERROR] submit is required when a block of type input is within the view');
  }
  if (tooLong(view.callback_id, 255)) problems.push('[ERROR] callback_id is too long');
  if (tooLong(view.private_metadata, 3_000)) problems.push('[ERROR] private_metadata is too long');
  return problems;
}

/** @param max 100 in a view, 50 in a message */
export function problemsOfBlocks(blocks: any, max: number): string[] {
  if (!Array.isArray(blocks)) return ['[ERROR] missing required field: blocks'];
  const problems =
    blocks.length > max ? [`[ERROR] no more than ${max} items allowed [json-pointer:/blocks]`] : [];
  for (const [index, block] of blocks.entries()) {
    const at = `[json-pointer:/blocks/${index}]`;
    if (tooLong(block.block_id, 255)) problems.push(`[ERROR] block_id is too long ${at}`);
    if (block.type === 'section' && !block.text?.text) problems.push(`[ERROR] must provide text ${at}`);
    const limit = TEXT_MAX[block.type as keyof typeof TEXT_MAX];
    if (limit && tooLong(block.text?.text, limit))
      problems.push(`[ERROR] must be less than ${limit + 1} characters ${at}`);
    for (const element of block.elements ?? []) problems.push(...problemsOfButton(element, at));
    if ((block.elements?.length ?? 0) > 25) problems.push(`[ERROR] too many elements ${at}`);
    if ((block.element?.options?.length ?? 0) > 100) problems.push(`[ERROR] too many options ${at}`);
  }
  return problems;
}

function problemsOfButton({ type, text, value, confirm }: any, at: string) {
  if (type !== 'button') return [];
  const problems = [];
  if (!text?.text || tooLong(text.text, TEXT_MAX.button))
    problems.push(`[ERROR] text of a button has 1 to 75 characters ${at}`);
  if (tooLong(value, 2_000)) problems.push(`[ERROR] value is too long ${at}`);
  if (confirm && (tooLong(confirm.title?.text, 100) || tooLong(confirm.text?.text, 300)))
    problems.push(`[ERROR] confirm is too long ${at}`);
  if (confirm && (tooLong(confirm.confirm?.text, 30) || tooLong(confirm.deny?.text, 30)))
    problems.push(`[ERROR] a choice of confirm is too long ${at}`);
  return problems;
}

function tooLong(text: unknown, max: number) {
  return typeof text === 'string' && text.length > max;
}
