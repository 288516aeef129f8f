import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.js';
import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { usageTexts as texts } from '../../texts/usage.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { Refused } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { ActivitySection } from './activity-section.js';
import { ChartsSection } from './charts-section.js';
import { DrawsSection } from './draws-section.js';
import { PoolsSection } from './pools-section.js';
import '../../styles/usage.css';

/** The usage of the organization and its limits. */
export function Place() {
  const canSee = isManager(useMember());
  return (
    <Page title={texts.title} hint={texts.hint} actions={canSee && <RefreshButton />}>
      {canSee ? <Sections /> : <Refused text={texts.refused} />}
    </Page>
  );
}

/** Each section is read on its own, so that one that fails leaves the others. */
function Sections() {
  return (
    <div className="sections">
      <PoolsSection />
      <ChartsSection />
      <DrawsSection />
      <ActivitySection />
    </div>
  );
}

/** Figures follow their calls by seconds. */
function RefreshButton() {
  const queries = useQueryClient();
  const isBusy = useIsFetching({ queryKey: queryKeys.usage }) > 0;
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: queryKeys.usage });
    toast(texts.refreshed);
  };
  return (
    <Button kind="quiet" isBusy={isBusy} onPress={() => void refresh()}>
      {texts.refresh}
    </Button>
  );
}
