import type { ErrorComponentProps } from '@tanstack/react-router';
import { errorText } from '../api/error-text.js';
import { PartNotLoaded } from '../api/load-part.js';
import { commonTexts } from '../texts/common.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';

/** What is left of a place that has failed. Other places, and what was typed in them, go on. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartNotLoaded) return <NewRelease />;
  return (
    <Notice title={commonTexts.failed} actions={<Button onPress={reset}>{commonTexts.tryAgain}</Button>}>
      <p>{errorText(error)}</p>
    </Notice>
  );
}

function NewRelease() {
  const reload = <Button onPress={() => location.reload()}>{commonTexts.reload}</Button>;
  return (
    <Notice title={commonTexts.newRelease} actions={reload}>
      <p>{commonTexts.newReleaseText}</p>
    </Notice>
  );
}
