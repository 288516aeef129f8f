import { Link, useRouter } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Client } from '@vaultsvc/client';
import { keep, useKept } from '../../api/kept.js';
import { useClient } from '../../session/session-context.js';
import { firstStepsTexts as texts } from '../../texts/first-steps.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';

/** An organization is new for so long. */
const NEW_SECONDS = 14 * 86_400;

const hidden = keep({ isHidden: false }, { isUnsaved: () => false });

type Step = 'people' | 'vaults' | 'domains' | 'keys';
const steps: readonly Step[] = ['people', 'vaults', 'domains', 'keys'];

/** Which steps are done; undefined for an organization that is not new. */
async function readSteps(client: Client, signal: AbortSignal): Promise<Record<Step, boolean> | null> {
  const account = await client.GET('/v1/account', { signal });
  if (account.data.created_at < Date.now() / 1_000 - NEW_SECONDS) return null;
  const query = { limit: 2 };
  const [people, vaults, domains, keys] = await Promise.all([
    client.GET('/v1/users', { params: { query }, signal }),
    client.GET('/v1/vaults', { params: { query }, signal }),
    client.GET('/v1/domains', { signal }),
    client.GET('/v1/api-keys', { params: { query }, signal }),
  ]);
  return {
    people: people.data.count > 1,
    vaults: vaults.data.vaults.length > 0,
    domains: domains.data.domains.length > 0,
    keys: keys.data.count > 0,
  };
}

/** What the owner or an admin of a new organization does next. It disappears when all is done; a failure shows nothing. */
export function FirstSteps() {
  const client = useClient();
  const { isHidden } = useKept(hidden);
  const routes = useRouter().routesByPath;
  const { data } = useQuery({
    queryKey: ['send', 'first-steps'],
    queryFn: ({ signal }) => readSteps(client, signal),
    enabled: !isHidden,
  });
  const shown = steps.filter((step) => `/${step}` in routes);
  if (isHidden || !data || shown.every((step) => data[step])) return null;
  return (
    <section className="card stack first-steps" aria-labelledby="first-steps">
      <div className="section-head">
        <h2 id="first-steps">{texts.title}</h2>
        <Button kind="quiet" onPress={() => hidden.set({ isHidden: true })}>
          {texts.hide}
        </Button>
      </div>
      <ul className="stack">
        {shown.map((step) => (
          <li key={step} data-done={data[step] || undefined}>
            <Icon name={data[step] ? 'check' : 'circle'} />
            <span>
              <span className="visually-hidden">{data[step] ? texts.done : texts.open}: </span>
              <Link to={`/${step}`}>{texts[step]}</Link>
              <span className="hint option-hint">{texts[`${step}Hint`]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
