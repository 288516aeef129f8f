import {
  inputBlocks,
  shownBlocks,
  type ActionButton,
  type Block,
  type ChatText,
  type Names,
} from './blocks.client.ts';
import {
  button,
  choice,
  element,
  labelled,
  post,
  read,
  showNotInstalled,
  stageOf,
  type Named,
  type Option,
} from './elements.client.ts';

interface View {
  id: string;
  hash: string;
  type: 'home' | 'modal';
  callback_id: string;
  title: ChatText;
  submit?: ChatText;
  close?: ChatText;
  blocks: Block[];
}

interface Message {
  channel: string;
  ts: string;
  text: string;
  blocks?: Block[];
}

/** Names and kinds by ids, as `/_people` lists them. */
interface Directory {
  people: Record<string, string>;
  conversations: Record<string, string>;
  betweenPeople: Record<string, string>;
}

const POLL_MS = 700;
const stage = stageOf();
/** Modals that are not shown: those of before this page, and those that were closed. */
const closed = new Set<string>();
const shownTeams = new Set<string>();
let shownModal = '';

const workspaces = await read<Named[]>('/_workspaces');
if (workspaces.length === 0)
  showNotInstalled(
    stage,
    `curl -s "$api/apps/chatapp/oauth/callback" -H "$auth" -H "$json" \\\n  -d '{"code":"local-ok-1","redirect_uri":"https://app.example.com/callback"}'`,
  );
else await start();

async function start() {
  const { people, conversations, betweenPeople } = await read<Directory>('/_people');
  const names: Names = people;
  const places = [
    ...Object.entries(people).map(([id, name]): Option => [id, `@${name}`]),
    ...Object.entries(conversations).map(([id, kind]): Option => [
      id,
      `${betweenPeople[id] ?? nameOf(id)} (${kind})`,
    ]),
  ];
  const workspace = choice(workspaces.map(({ id, name }): Option => [id, name]));
  const person = choice(Object.entries(people));
  const command = element('input', { placeholder: '/secret @bob', value: '/secret' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const list = element('ul', {});
  const home = element('section', { 'aria-label': 'Home of the app' });
  const modal = element('dialog', {});
  const user = () => ({ id: person.value, name: names[person.value] });
  const team_id = () => workspace.value;
  const keyOf = (viewId: string) => `${team_id()} ${viewId}`;

  /** Sends what the person does, and shows a refusal. */
  const act = async (kind: 'command' | 'interaction' | 'event', body: object) => {
    const answer = await post(`/_send/${kind}`, { team_id: team_id(), ...body });
    problem.textContent = answer.status === 200 ? '' : `The API answered ${answer.status}: ${answer.text}`;
    await show();
    return answer;
  };
  const form = element('form', {}, labelled('Message', command), element('button', {}, 'Send'), problem);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [, text] = /^\/secret\s*(.*)$/.exec(command.value) ?? [];
    const { id, name } = user();
    if (text !== undefined)
      return void act('command', {
        user_id: id,
        user_name: name,
        text: escaped(text, people, conversations),
      });
    const message = { type: 'message', channel_type: 'im', channel: id, user: id, text: command.value };
    return void act('event', { event: message });
  });
  const openHome = button(
    'Home of the app',
    () => void act('event', { event: { type: 'app_home_opened', tab: 'home', user: person.value } }),
    'quiet',
  );
  stage.replaceChildren(
    element(
      'section',
      { 'aria-label': 'Person' },
      element(
        'div',
        { class: 'row' },
        labelled('Workspace', workspace),
        labelled('You are', person),
        openHome,
      ),
      form,
      element(
        'p',
        { class: 'hint' },
        'Write /secret, /secret @bob or /secret #general, or anything else to the app.',
      ),
    ),
    home,
    element('section', { 'aria-label': 'Messages' }, element('h2', {}, 'Messages of the app'), list),
    modal,
  );
  workspace.addEventListener('change', () => void show());

  async function show() {
    const team = team_id();
    const { views, messages } = await read<{ views: View[]; messages: Message[] }>(`/_state?team_id=${team}`);
    if (team !== team_id()) return; // Another workspace has been chosen meanwhile.
    const texts = JSON.stringify(messages);
    if (list.dataset.shown !== texts) {
      list.dataset.shown = texts;
      list.replaceChildren(...messages.toReversed().map(messageItem));
    }
    const published = views.find(({ type }) => type === 'home');
    home.hidden = !published;
    if (published) home.replaceChildren(...shownBlocks(published.blocks, names));
    const modals = views.filter(({ type }) => type === 'modal');
    if (!shownTeams.has(team)) for (const { id } of modals) closed.add(keyOf(id));
    shownTeams.add(team);
    const opened = modals.findLast(({ id }) => !closed.has(keyOf(id)));
    if (opened && shownModal !== `${opened.id} ${opened.hash}`) showModal(opened);
  }

  function messageItem(message: Message) {
    const where = element('p', { class: 'hint' }, `in ${nameOf(message.channel)}`);
    const blocks: Block[] = message.blocks ?? [{ type: 'section', text: { text: message.text } }];
    return element('li', {}, where, ...shownBlocks(blocks, names, (action) => confirm(action, message)));
  }

  function confirm(action: ActionButton, message: Message) {
    const { confirm: question } = action;
    const yes = button(question.confirm.text, () => {
      asking.remove();
      void act('interaction', {
        type: 'block_actions',
        user: user(),
        channel: { id: message.channel },
        message: { ts: message.ts },
        actions: [{ type: 'button', action_id: action.action_id, value: action.value }],
      });
    });
    const no = button(question.deny.text, () => asking.remove(), 'quiet');
    const asking = element(
      'dialog',
      { 'aria-label': question.title.text },
      element('h2', {}, question.title.text),
      element('p', {}, question.text.text),
      element('div', { class: 'row' }, yes, no),
    );
    stage.append(asking);
    asking.showModal();
  }

  function showModal(view: View) {
    shownModal = `${view.id} ${view.hash}`;
    const inputs = inputBlocks(view.blocks, places);
    const leave = () => {
      closed.add(keyOf(view.id));
      modal.close();
    };
    const fields = element('form', {}, ...shownBlocks(view.blocks, names), ...inputs.elements);
    const submit = view.submit ? [element('button', {}, view.submit.text)] : [];
    fields.append(
      element('div', { class: 'row' }, ...submit, button(view.close?.text ?? 'Close', leave, 'quiet')),
    );
    const submitted = async () => {
      const { id, callback_id } = view;
      const state = { values: inputs.state() };
      const { status, text } = await act('interaction', {
        type: 'view_submission',
        user: user(),
        view: { id, callback_id, state },
      });
      if (status !== 200) return; // the platform keeps the modal and shows that the app has failed
      const { errors } = (text === '' ? {} : JSON.parse(text)) as { errors?: Record<string, string> };
      if (errors) inputs.show(errors);
      else leave();
    };
    fields.addEventListener('submit', (event) => {
      event.preventDefault();
      void submitted();
    });
    modal.setAttribute('aria-label', view.title.text);
    modal.replaceChildren(element('h2', {}, view.title.text), fields);
    modal.addEventListener('cancel', () => closed.add(keyOf(view.id)), { once: true });
    if (!modal.open) modal.showModal();
  }

  for (;;) {
    await show().catch(() => undefined); // the stack is stopped or restarting
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** As the platform sends the text of a command: people and channels by their ids. */
function escaped(text: string, people: Names, conversations: Names) {
  return text
    .replace(/@(\w+)/g, (given, name: string) => {
      const id = Object.keys(people).find((one) => people[one] === name);
      return id ? `<@${id}|${name}>` : given;
    })
    .replace(/#(\w+)/g, (given, name: string) => {
      const id = `C0${name.toUpperCase()}`;
      return id in conversations ? `<#${id}|${name}>` : given;
    });
}

/** `C0GENERAL` is #general, and `D0BOB` the conversation of bob with the app. */
function nameOf(id: string) {
  return `${id.startsWith('C') ? '#' : ''}${id.slice(2).toLowerCase()}${id.startsWith('D') ? ' and the app' : ''}`;
}
