import { CrmPage } from './crm/crm-page.client.ts';
import type { Crm } from './crm/person-actions.client.ts';
import type { Option } from './elements.client.ts';
import { showInstallations } from './installations.client.ts';
import { read, type Named } from './page-server.client.ts';

const crm = document.documentElement.dataset.provider as Crm;

const INSTALL =
  `vault=$(curl -s "$api/vaults" -H "$auth" -H "$json" -d '{"name":"Customers"}'); echo "$vault"\n` +
  `curl -s "$api/apps/${crm}/oauth/callback" -H "$auth" -H "$json" -d "{\\"code\\":\\"local-ok-1\\",` +
  `\\"redirect_uri\\":\\"https://app.example.com/callback\\",\\"vault_id\\":$(jq .data.vault_id <<<"$vault")}"`;

await showInstallations(INSTALL, async (stage, installations) => {
  const people = (await read<(Named & { isAdmin?: boolean })[]>('/_people')).map(
    ({ id, name, isAdmin }): Option => [id, isAdmin ? `${name} (admin)` : name],
  );
  const page = new CrmPage(crm, { installations, people, recordId: await firstRecordId() });
  stage.replaceChildren(...page.elements);
});

/** The second CRM has ids of letters whose case matters; in the first one any number is a record. */
async function firstRecordId() {
  if (crm === 'crma') return '501';
  const [first] = await read<Named[]>('/_records');
  return first?.id ?? '';
}
