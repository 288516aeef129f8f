import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { auditTexts as texts } from '../../texts/audit.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { Refused } from '../../ui/states.js';
import { EntryList } from './entry-list.js';
import { ExportDialog } from './export-dialog.js';
import { filterOf, hasDaysInOrder, type AuditFilter } from './filter-address.js';
import { Filters } from './filters.js';
import { IntegritySection } from './integrity-section.js';
import '../../styles/audit.css';

/** The audit log of the organization: integrity, entries by a filter that the address keeps, export. */
export function Place() {
  const canSee = isManager(useMember());
  const filter = filterOf(useSearch({ strict: false }));
  const [isExporting, setExporting] = useState(false);
  const exportButton = (
    <Button kind="quiet" isDisabled={!hasDaysInOrder(filter)} onPress={() => setExporting(true)}>
      {texts.export}
    </Button>
  );
  return (
    <Page title={texts.title} hint={texts.hint} actions={canSee && exportButton}>
      {canSee ? <Sections filter={filter} /> : <Refused text={texts.refused} />}
      {isExporting && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </Page>
  );
}

function Sections({ filter }: { readonly filter: AuditFilter }) {
  const navigate = useNavigate();
  // The list of before is no step back: the person would have to go through all filters.
  const show = (next: AuditFilter) =>
    void navigate({
      to: '/audit',
      search: filterOf({ ...next }) as never,
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="sections">
      <IntegritySection />
      <Filters filter={filter} onChange={show} />
      <EntryList filter={filter} onChange={show} />
    </div>
  );
}
