import { commonTexts } from '../../texts/common.js';
import { sentTexts as texts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { momentText } from '../../ui/format.js';
import { List, Row } from '../../ui/list.js';
import { openingText } from './opening-text.js';
import type { SentRow } from './sent-row.js';

/** All openings of a link that can be opened more than once. */
export function OpeningsDialog({ row, onClose }: { readonly row: SentRow; readonly onClose: () => void }) {
  const openings = row.openings.map((opening, index) => ({ ...opening, key: String(index) }));
  return (
    <Dialog title={texts.openings} onClose={onClose}>
      <List label={texts.openings} items={openings} keyOf={({ key }) => key}>
        {(opening) => (
          <Row title={momentText(opening.opened_at)} details={<bdi>{openingText(opening)}</bdi>} />
        )}
      </List>
      {row.hasMoreOpenings && <p className="hint">{texts.moreOpenings}</p>}
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}
