import { useState } from 'react';
import { levelTexts } from '../../../texts/notifications.js';
import { composeTexts, previewTexts as texts } from '../../../texts/notify-compose.js';
import { Button } from '../../../ui/button.js';
import { bytesText } from '../../../ui/format.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { bytesOf } from './draft-problem.js';
import type { Draft } from './draft.js';

/** The page behind the link: the content is hidden at first, as somebody may look over the shoulder. */
export function BehindLink({ draft: { content, level, interaction } }: { readonly draft: Draft }) {
  const [isShown, setShown] = useState(false);
  return (
    <section className="card stack tight" aria-label={texts.behind}>
      <h2>{texts.behind}</h2>
      <p>{texts.sealed(bytesText(bytesOf(content)))}</p>
      <dl className="facts">
        <dt>{texts.proof}</dt>
        <dd>{levelTexts[level]}</dd>
        <dt>{texts.action}</dt>
        <dd>{composeTexts.actions[interaction]}</dd>
      </dl>
      {isShown && <SecretValue label={texts.content} value={content} />}
      <div className="actions">
        <Button kind="quiet" onPress={() => setShown(!isShown)}>
          {isShown ? texts.hide : texts.show}
        </Button>
      </div>
    </section>
  );
}
