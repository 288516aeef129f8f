/** Checks of the arguments of Slack's Web API: lengths of texts, counts of blocks, required fields. */
import { fieldsOf, itemsOf, textOf } from '../fields.ts';

const BUTTON_MAX = 75;
const TEXT_MAX: Readonly<Record<string, number>> = { header: 150, section: 3_000, button: BUTTON_MAX };

/** The problems of a view, as `response_metadata.messages` lists them. */
export function problemsOfView(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return ['[ERROR] missing required field: view'];
  const view = fieldsOf(given);
  const problems = problemsOfBlocks(view.blocks, 100);
  if (view.type === 'modal') {
    for (const field of ['title', 'submit', 'close'])
      if (tooLong(textIn(view[field]), 24))
        problems.push(`[ERROR] must be less than 25 characters [json-pointer:/view/${field}/text]`);
    if (!textIn(view.title)) problems.push('[ERROR] missing required field: title');
    const hasInput = itemsOf(view.blocks).some((block) => fieldsOf(block).type === 'input');
    if (hasInput && !view.submit)
      problems.push('[ERROR] submit is required when a block of type input is within the view');
  }
  if (tooLong(view.callback_id, 255)) problems.push('[ERROR] callback_id is too long');
  if (tooLong(view.private_metadata, 3_000)) problems.push('[ERROR] private_metadata is too long');
  return problems;
}

/** @param max 100 in a view, 50 in a message */
export function problemsOfBlocks(blocks: unknown, max: number): string[] {
  if (!Array.isArray(blocks)) return ['[ERROR] missing required field: blocks'];
  const problems =
    blocks.length > max ? [`[ERROR] no more than ${max} items allowed [json-pointer:/blocks]`] : [];
  for (const [index, block] of blocks.map(fieldsOf).entries()) {
    const at = `[json-pointer:/blocks/${index}]`;
    if (tooLong(block.block_id, 255)) problems.push(`[ERROR] block_id is too long ${at}`);
    if (block.type === 'section' && !textIn(block.text)) problems.push(`[ERROR] must provide text ${at}`);
    const limit = TEXT_MAX[textOf(block.type)];
    if (limit && tooLong(textIn(block.text), limit))
      problems.push(`[ERROR] must be less than ${limit + 1} characters ${at}`);
    const elements = itemsOf(block.elements);
    for (const element of elements) problems.push(...problemsOfButton(element, at));
    if (elements.length > 25) problems.push(`[ERROR] too many elements ${at}`);
    if (itemsOf(fieldsOf(block.element).options).length > 100)
      problems.push(`[ERROR] too many options ${at}`);
  }
  return problems;
}

function problemsOfButton(element: unknown, at: string) {
  const { type, text, value, confirm } = fieldsOf(element);
  if (type !== 'button') return [];
  const problems = [];
  if (!textIn(text) || tooLong(textIn(text), BUTTON_MAX))
    problems.push(`[ERROR] text of a button has 1 to 75 characters ${at}`);
  if (tooLong(value, 2_000)) problems.push(`[ERROR] value is too long ${at}`);
  const question = fieldsOf(confirm);
  if (tooLong(textIn(question.title), 100) || tooLong(textIn(question.text), 300))
    problems.push(`[ERROR] confirm is too long ${at}`);
  if (tooLong(textIn(question.confirm), 30) || tooLong(textIn(question.deny), 30))
    problems.push(`[ERROR] a choice of confirm is too long ${at}`);
  return problems;
}

/** The text of a text object. */
const textIn = (object: unknown) => fieldsOf(object).text;

function tooLong(text: unknown, max: number) {
  return typeof text === 'string' && text.length > max;
}
