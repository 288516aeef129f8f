import { Link } from '@tanstack/react-router';
import { useKept } from '../../../api/kept.js';
import { notifyTexts } from '../../../texts/notifications.js';
import { composeTexts as texts } from '../../../texts/notify-compose.js';
import { Page } from '../../../ui/page.js';
import { ComposeForm } from './compose-form.js';
import { draftStore } from './draft.js';
import { Preview } from './preview.js';

/** Writes a notification, and shows what will be sent before it is. */
export function Place() {
  const draft = useKept(draftStore);
  if (draft.isPreviewed) return <Preview draft={draft} />;
  return (
    <Page
      title={texts.title}
      hint={
        <>
          {texts.hint} <Link to="/notifications">{notifyTexts.all}</Link>
        </>
      }
      focusesContent
    >
      <ComposeForm draft={draft} />
    </Page>
  );
}
