import type { Receipt } from '@vaultsvc/client';
import { levelTexts } from '../../../texts/notifications.js';
import { receiptTexts as texts, sendTexts } from '../../../texts/notify-send.js';
import { momentText } from '../../../ui/format.js';
import type { Finding } from './check-receipt.js';

/** The result of a check in plain words: what the receipt proves, and what it does not. */
export function FindingView({ finding }: { readonly finding: Finding }) {
  if (finding.kind === 'unsupported') return <p className="problem">{texts.unsupported}</p>;
  if (finding.kind === 'invalid')
    return (
      <div className="verdict bad">
        <p className="verdict-title">{texts.invalidTitle}</p>
        <p>{texts.problems[finding.reason] ?? finding.reason}</p>
      </div>
    );
  const isGenuine = finding.kind === 'genuine';
  return (
    <>
      <div className={`verdict ${isGenuine ? 'good' : 'bad'}`}>
        <p className="verdict-title">{isGenuine ? texts.genuineTitle : texts.otherTitle}</p>
        <p>{isGenuine ? texts.genuineText : texts.otherText}</p>
      </div>
      <Claims claims={finding.claims} keyId={finding.keyId} />
    </>
  );
}

function Claims({ claims, keyId }: { readonly claims: Receipt; readonly keyId: string }) {
  const rows = claimRows(claims, keyId);
  const limit = claims['verification_level'] === 'none' ? texts.limits.none : texts.limits.proven;
  return (
    <section className="stack tight">
      <h3>{texts.proves}</h3>
      <dl className="claims">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">{limit}</p>
    </section>
  );
}

/** The claims that a person understands, without those that the receipt does not have. */
function claimRows(claims: Receipt, keyId: string) {
  const { claim } = texts;
  const level = textOf(claims['verification_level']) as keyof typeof levelTexts | undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [claim.action, sendTexts.did[claims.action] ?? claims.action],
    [claim.recipient, claims.sub],
    [claim.at, momentText(claims.at)],
    [claim.proof, level === 'none' ? texts.nobody : level && levelTexts[level]],
    [claim.by, textOf(claims['verified_by'])],
    [claim.opened, momentOf(claims['revealed_at'])],
    [claim.notification, textOf(claims['send_id'])],
    [claim.content, textOf(claims['action_hash'])],
    [claim.file, textOf(claims.content_hash)],
    [claim.issuer, claims.iss],
    [claim.key, keyId],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const momentOf = (value: unknown) => (typeof value === 'number' ? momentText(value) : undefined);
