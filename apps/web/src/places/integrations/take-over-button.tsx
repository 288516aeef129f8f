import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/toast.js';
import { integrationsKey, type App } from './use-apps.js';

/** Goes on with a suspended integration in the name of the person: each change by an admin does. */
export function TakeOverButton({ app: { app_id: appId, name } }: { readonly app: App }) {
  const client = useClient();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const takeOver = async () => {
    setBusy(true);
    try {
      const params = { path: { app_id: appId } };
      await client.PUT('/v1/apps/{app_id}', { params, body: { settings: {} } });
      await queries.invalidateQueries({ queryKey: integrationsKey });
      toast(texts.takenOver);
    } catch (error) {
      toast(errorText(error));
    }
    setBusy(false);
  };
  return (
    <Button
      isBusy={isBusy}
      label={commonTexts.actionOn(texts.takeOver, name)}
      onPress={() => void takeOver()}
    >
      {texts.takeOver}
    </Button>
  );
}
