import { button, choice, element, hint, labelled, problemLine, type Option } from '../elements.client.ts';

/** Names of people by their ids. */
export type Names = Readonly<Record<string, string | undefined>>;

export interface ChatText {
  /** Absent where the page shows a message without blocks, whose text is marked up. */
  type?: string;
  text: string;
}

export interface ActionButton {
  action_id: string;
  value: string;
  text: ChatText;
  style?: string;
  confirm: Record<'title' | 'text' | 'confirm' | 'deny', ChatText>;
}

interface InputOption {
  value: string;
  text: ChatText;
}

type InputElement =
  | { type: 'plain_text_input'; action_id: string; multiline?: boolean }
  | { type: 'conversations_select'; action_id: string; initial_conversation?: string }
  | { type: 'static_select'; action_id: string; options: InputOption[]; initial_option?: InputOption };

interface InputBlock {
  type: 'input';
  block_id: string;
  label: ChatText;
  hint?: ChatText;
  element: InputElement;
}

/** The kinds of blocks that the app uses. */
export type Block =
  | { type: 'header' | 'section'; text: ChatText }
  | { type: 'actions'; elements: ActionButton[] }
  | { type: 'divider' }
  | InputBlock;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
const MARKED = /<@(\w+)>|<!date\^(\d+)\^[^|>]*\|[^>]*>|&(amp|lt|gt);/g;

/** Text of the chat: in marked-up text, people by name, times of this computer, and entities decoded. Plain text is decoded already. */
export function readable({ type, text }: ChatText, names: Names) {
  if (type === 'plain_text') return text;
  return text.replace(MARKED, (_, id?: string, seconds?: string, entity?: string) => {
    if (entity) return ENTITIES[entity] ?? '';
    return id ? `@${names[id] ?? id}` : new Date(Number(seconds) * 1_000).toLocaleString();
  });
}

/** The blocks of a message or a view that show something. `onAction` is called with the button that was pressed. */
export function shownBlocks(
  blocks: readonly Block[],
  names: Names,
  onAction: (action: ActionButton) => void = () => {},
): HTMLElement[] {
  return blocks.flatMap((block): HTMLElement[] => {
    if (block.type === 'header') return [element('h2', {}, readable(block.text, names))];
    if (block.type === 'section') return [element('p', { class: 'text' }, readable(block.text, names))];
    if (block.type !== 'actions') return [];
    return block.elements.map((action) =>
      button(action.text.text, () => onAction(action), action.style ?? 'quiet'),
    );
  });
}

/** The inputs of a modal. `state` reads what was entered, as the platform sends it; `show` shows errors at their blocks. */
export function inputBlocks(blocks: readonly Block[], places: readonly Option[]) {
  const inputs = blocks.filter((block) => block.type === 'input').map((block) => inputOf(block, places));
  return {
    elements: inputs.map(({ shown }) => shown),
    state: () =>
      Object.fromEntries(
        inputs.map(({ block, value }) => [block.block_id, { [block.element.action_id]: value() }]),
      ),
    show: (errors: Readonly<Record<string, string>>) => {
      for (const { block, problem } of inputs) problem.textContent = errors[block.block_id] ?? '';
    },
  };
}

function inputOf(block: InputBlock, places: readonly Option[]) {
  const problem = problemLine();
  const { field, value } = fieldOf(block.element, places);
  const shown = labelled(block.label.text, field, hint(block.hint?.text ?? ''), problem);
  return { block, problem, value, shown };
}

interface Field {
  field: HTMLElement;
  /** What was entered, as the platform sends it. */
  value: () => object;
}

function fieldOf(given: InputElement, places: readonly Option[]): Field {
  const { type } = given;
  if (type === 'plain_text_input') {
    const field = element(given.multiline ? 'textarea' : 'input', { rows: '4' });
    return { field, value: () => ({ type, value: field.value || null }) };
  }
  if (type === 'conversations_select') {
    const field = choice([['', 'Choose …'], ...places], given.initial_conversation ?? '');
    return { field, value: () => ({ type, selected_conversation: field.value || null }) };
  }
  const { options, initial_option } = given;
  const field = choice(
    options.map(({ value, text }): Option => [value, text.text]),
    initial_option?.value,
  );
  const selected = () => options.find(({ value }) => value === field.value);
  return { field, value: () => ({ type, selected_option: selected() }) };
}
