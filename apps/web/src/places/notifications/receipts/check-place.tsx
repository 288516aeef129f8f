import { Link } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { notifyTexts } from '../../../texts/notifications.js';
import { receiptTexts as texts } from '../../../texts/notify-send.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { Page } from '../../../ui/page.js';
import { Problem } from '../../../ui/states.js';
import { checkReceipt, jwsOf, type Finding } from '../verify/check-receipt.js';
import { FindingView } from '../verify/finding-view.js';

/** Verifies a receipt that somebody hands over. */
export function Place() {
  return (
    <Page
      title={texts.checkTitle}
      hint={
        <>
          {texts.checkHint} <Link to="/notifications">{notifyTexts.all}</Link>
        </>
      }
      focusesContent
    >
      <CheckForm />
    </Page>
  );
}

function useCheck() {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const [finding, setFinding] = useState<Finding>();
  const [error, setError] = useState<unknown>();
  const check = async (text: string) => {
    setBusy(true);
    setError(undefined);
    setFinding(undefined);
    await checkReceipt(client, jwsOf(text)).then(setFinding, setError);
    setBusy(false);
  };
  const forget = () => setFinding(undefined);
  return { isBusy, finding, error, check, forget };
}

function CheckForm() {
  const [text, setText] = useState('');
  const { isBusy, finding, error, check, forget } = useCheck();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) void check(text);
  };
  const change = (next: string) => {
    setText(next);
    // The verdict was about another text.
    forget();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Field
        label={texts.paste}
        hint={texts.pasteHint}
        value={text}
        onChange={change}
        rows={6}
        isSecret
        autoFocus
      />
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div role="status" className="stack">
        {finding && <FindingView finding={finding} />}
      </div>
      <div className="actions">
        <Button type="submit" isBusy={isBusy} isDisabled={text.trim() === ''}>
          {texts.check}
        </Button>
      </div>
    </form>
  );
}
