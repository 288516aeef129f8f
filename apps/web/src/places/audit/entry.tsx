import { Link } from '@tanstack/react-router';
import { commonTexts } from '../../texts/common.js';
import { auditTexts as texts } from '../../texts/audit.js';
import { Button } from '../../ui/button.js';
import { momentText } from '../../ui/format.js';
import { Row } from '../../ui/list.js';
import { actorText, factsOf, typeText, type AuditEntry } from './entry-words.js';
import { useVaultNames } from './use-audit.js';

interface Props {
  readonly entry: AuditEntry;
  readonly onActor: (id: string) => void;
}

/** An entry: what was done, by whom, when and in which vault; its other fields when it is opened. */
export function Entry({ entry, onActor }: Props) {
  const { event_id: id, event_type: type, timestamp } = entry;
  const { actorId, vaultId, others } = factsOf(entry);
  const [what, who, when] = [typeText(type), actorText(entry), momentText(timestamp)];
  return (
    <div className="entry">
      <Row
        title={what}
        details={
          <>
            <bdi>{who}</bdi> · {when}
            {vaultId !== undefined && <VaultOf id={vaultId} />}
          </>
        }
      />
      <details className="entry-more">
        <summary aria-label={texts.detailsOf(what, when)}>{texts.details}</summary>
        <dl className="facts">
          {[...others, [texts.entryId, id] as const].map(([name, value]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
        {actorId !== undefined && (
          <Button
            kind="quiet"
            label={commonTexts.actionOn(texts.onlyActor, who)}
            onPress={() => onActor(actorId)}
          >
            {texts.onlyActor}
          </Button>
        )}
      </details>
    </div>
  );
}

/** A link to the vault, if there still is one. */
function VaultOf({ id }: { readonly id: string }) {
  const name = useVaultNames().data?.get(id);
  if (name === undefined) return null;
  return (
    <>
      {' · '}
      <Link to="/vaults/$vaultId" params={{ vaultId: id }}>
        {texts.vault(name)}
      </Link>
    </>
  );
}
