import { useState } from 'react';
import { sentLinkTexts as texts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { momentText } from '../../ui/format.js';
import { Page } from '../../ui/page.js';
import { beginAnother, draftStore, type SentLink } from './draft.js';
import { LinkActions } from './link-actions.js';
import { LinkField } from './link-field.js';

/** The link of a secret, with the ways to hand it on. */
export function Result({ link }: { readonly link: SentLink }) {
  const [isAsking, setAsking] = useState(false);
  const until = momentText(link.expiresAt);
  const take = () => draftStore.update({ result: { ...link, isTaken: true } });
  const another = () => (link.isTaken || link.recipient !== undefined ? beginAnother() : setAsking(true));
  return (
    <Page
      title={texts.title}
      hint={link.kind === 'link' ? texts.opensAddress(until) : texts.opensOnce(until)}
    >
      <section className="card stack">
        {link.recipient !== undefined && <p>{texts.invited(link.recipient)}</p>}
        <LinkField url={link.url} />
        <LinkActions url={link.url} until={until} onTaken={take} />
      </section>
      <div className="actions after">
        <Button kind="quiet" onPress={another}>
          {texts.another}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.notCopied}
          text={texts.notCopiedText}
          confirm={texts.leave}
          act={() => Promise.resolve(beginAnother())}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}
