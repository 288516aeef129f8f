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

/** What the API answers to `resolve`, as far as the page uses it. */
interface Resolved {
  data?: { panel_url: string };
}

const { provider } = document.documentElement.dataset;
const stage = stageOf();
const people = (await read<(Named & { isAdmin?: boolean })[]>('/_people')).map(
  ({ id, name, isAdmin }): Option => [id, isAdmin ? `${name} (admin)` : name],
);
/** The second CRM has ids of letters whose case matters; in the first one any number is a record. */
const [first] = provider === 'crma' ? [{ id: '501' }] : await read<Named[]>('/_records');
const firstRecord = first?.id ?? '';
const types = ['contact', 'company', 'deal'].map((type): Option => [type, type]);
/** The first CRM calls an installation a portal, the second one an org. */
const names = provider === 'crma' ? { id: 'portalId', label: 'Portal' } : { id: 'orgId', label: 'Org' };

const installations = await read<Named[]>('/_workspaces');
if (installations.length === 0)
  showNotInstalled(
    stage,
    `vault=$(curl -s "$api/vaults" -H "$auth" -H "$json" -d '{"name":"Customers"}'); echo "$vault"\n` +
      `curl -s "$api/apps/${provider}/oauth/callback" -H "$auth" -H "$json" -d "{\\"code\\":\\"local-ok-1\\",` +
      `\\"redirect_uri\\":\\"https://app.example.com/callback\\",\\"vault_id\\":$(jq .data.vault_id <<<"$vault")}"`,
  );
else show();

function show() {
  const installation = choice(installations.map(({ id, name }): Option => [id, name]));
  const person = choice(people);
  const type = choice(types);
  const record = element('input', { value: firstRecord, maxlength: '128' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const card = element('section', { 'aria-label': 'Record' });
  card.hidden = true;
  const request = () => ({ [names.id]: installation.value, userId: person.value });

  const open = async () => {
    const body = { object_type: type.value, record_id: record.value };
    const answer = await post('/_send/proxy', { path: 'resolve', ...request(), body });
    const { data } = parsed(answer.text);
    card.hidden = !data;
    problem.textContent = data ? '' : `The API answered ${answer.status}: ${answer.text}`;
    if (data) card.replaceChildren(...cardOf(`${type.value} ${record.value}`, data));
  };
  const uninstall = async () => {
    const id = installation.value;
    const answer =
      provider === 'crma'
        ? await post('/_send/webhook', [{ subscriptionType: 'app.deauthorize', portalId: Number(id) }])
        : await post('/_send/proxy', {
            path: 'webhooks',
            ...request(),
            body: { event: 'app.uninstall', org_id: id },
          });
    card.hidden = true;
    problem.textContent = answer.status === 200 ? 'The app is uninstalled.' : answer.text;
  };
  const form = element(
    'form',
    {},
    element(
      'div',
      { class: 'row' },
      labelled(names.label, installation),
      labelled('You are', person),
      labelled('Record', type),
      labelled('Number', record),
    ),
    element(
      'div',
      { class: 'row' },
      element('button', {}, 'Open record'),
      button('Uninstall the app', () => void uninstall(), 'quiet'),
    ),
    problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void open();
  });
  stage.replaceChildren(element('section', { 'aria-label': 'Person' }, form), card);
}

/** The record as the CRM shows it, with the panel of the app in a frame. */
function cardOf(title: string, data: { panel_url: string }) {
  const frame = element('iframe', {
    title: `Files of ${title}`,
    src: data.panel_url,
    allow: 'clipboard-write',
  });
  const answer = element('pre', { tabindex: '0' }, JSON.stringify(data, null, 2));
  return [
    element('h2', {}, title),
    frame,
    element('details', {}, element('summary', {}, 'What the API has answered'), answer),
  ];
}

function parsed(text: string): Resolved {
  try {
    return JSON.parse(text) as Resolved;
  } catch {
    return {};
  }
}
