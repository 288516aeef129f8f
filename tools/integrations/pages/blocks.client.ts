// @ts-nocheck
import { choice, element, labelled } from './elements.client.ts';

const ENTITIES = { amp: '&', lt: '<', gt: '>' };

/** Text of the chat: in marked-up text, people by name, times of this computer, and entities decoded. Plain text is decoded already. */
export function readable({ type, text }, names) {
  if (type === 'plain_text') return text;
  return text.replace(/<@(\w+)>|<!date\^(\d+)\^[^|>]*\|[^>]*>|&(amp|lt|gt);/g, (_, id, seconds, entity) =>
    entity ? ENTITIES[entity] : id ? `@${names[id] ?? id}` : new Date(seconds * 1_000).toLocaleString(),
  );
}

/** The blocks of a message or a view that show something. `onAction` is called with the button that was pressed. */
export function shownBlocks(blocks, names, onAction = () => {}) {
  return blocks.flatMap((block) => {
    if (block.type === 'header') return [element('h2', {}, readable(block.text, names))];
    if (block.type === 'section') return [element('p', { class: 'text' }, readable(block.text, names))];
    if (block.type !== 'actions') return [];
    return block.elements.map((action) => {
      const created = element('button', { type: 'button', class: action.style ?? 'quiet' }, action.text.text);
      created.addEventListener('click', () => onAction(action));
      return created;
    });
  });
}

/** The inputs of a modal. `state` reads what was entered, as the platform sends it; `show` shows errors at their blocks. */
export function inputBlocks(blocks, places) {
  const inputs = blocks.filter(({ type }) => type === 'input').map((block) => inputOf(block, places));
  return {
    elements: inputs.map(({ shown }) => shown),
    state: () =>
      Object.fromEntries(
        inputs.map(({ block, value }) => [block.block_id, { [block.element.action_id]: value() }]),
      ),
    show: (errors) => {
      for (const { block, problem } of inputs) problem.textContent = errors[block.block_id] ?? '';
    },
  };
}

function inputOf(block, places) {
  const { type } = block.element;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const hint = element('p', { class: 'hint' }, block.hint?.text ?? '');
  const [field, value] = fieldOf(type, block.element, places);
  return { block, problem, value, shown: labelled(block.label.text, field, hint, problem) };
}

function fieldOf(type, given, places) {
  if (type === 'plain_text_input') {
    const field = element(given.multiline ? 'textarea' : 'input', { rows: '4' });
    return [field, () => ({ type, value: field.value || null })];
  }
  if (type === 'conversations_select') {
    const field = choice([['', 'Choose …'], ...places], given.initial_conversation ?? '');
    return [field, () => ({ type, selected_conversation: field.value || null })];
  }
  const options = given.options.map(({ value, text }) => [value, text.text]);
  const field = choice(options, given.initial_option?.value);
  return [field, () => ({ type, selected_option: given.options.find(({ value }) => value === field.value) })];
}
