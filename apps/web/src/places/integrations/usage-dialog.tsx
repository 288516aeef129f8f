import { commonTexts } from '../../texts/common.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { List, Row } from '../../ui/list.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { useChatUsage } from './chat-usage.js';

/** As many rows as a dialog shows well; those below have sent least. */
const PEOPLE_MAX = 100;

/** The people who have sent or viewed secrets in the chat. */
export function UsageDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={texts.people} onClose={onClose}>
      <p className="hint">{texts.peopleHint}</p>
      <People />
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function People() {
  const usage = useChatUsage(true);
  if (usage.isPending) return <Loading />;
  if (usage.isError) return <Failed error={usage.error} retry={() => void usage.refetch()} />;
  const { people, isPartial } = usage.data;
  if (people.length === 0) return <Empty icon="sent" text={texts.noUsage} />;
  return (
    <>
      {(isPartial || people.length > PEOPLE_MAX) && <p className="remark">{texts.partial}</p>}
      <List label={texts.people} items={people.slice(0, PEOPLE_MAX)} keyOf={({ id }) => id}>
        {({ name, created, read }) => <Row title={<bdi>{name}</bdi>} details={texts.totals(created, read)} />}
      </List>
    </>
  );
}
