import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client, Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient, useSession } from '../../session/session-context.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { momentText } from '../../ui/format.js';
import { Badge, List, Row } from '../../ui/list.js';
import { Failed, Loading } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { profileKeys } from './profile-keys.js';

type OwnSession = Schema<'OwnSession'>;

async function readSessions(client: Client, signal?: AbortSignal): Promise<readonly OwnSession[]> {
  return (await client.GET('/v1/me/sessions', { signal })).data.sessions;
}

async function endSession(client: Client, id: string): Promise<void> {
  await client.DELETE('/v1/me/sessions/{session_id}', { params: { path: { session_id: id } } });
}

/** Where the person is signed in; each session is ended, or all of them. */
export function Sessions() {
  const [isEndingAll, endAll] = useState(false);
  return (
    <section className="stack">
      <div className="section-head">
        <h2>{texts.sessions}</h2>
        <Button kind="quiet" onPress={() => endAll(true)}>
          {texts.endAll}
        </Button>
      </div>
      <SessionList />
      {isEndingAll && <EndAllDialog onClose={() => endAll(false)} />}
    </section>
  );
}

function SessionList() {
  const client = useClient();
  const [ended, end] = useState<string>();
  const sessions = useQuery({
    queryKey: profileKeys.sessions,
    queryFn: ({ signal }) => readSessions(client, signal),
  });
  if (sessions.isPending) return <Loading />;
  if (sessions.isError) return <Failed error={sessions.error} retry={() => void sessions.refetch()} />;
  return (
    <>
      <List label={texts.sessionList} items={sessions.data} keyOf={({ session_id: id }) => id}>
        {(session) => <SessionItem session={session} onEnd={() => end(session.session_id)} />}
      </List>
      {ended !== undefined && <EndDialog id={ended} onClose={() => end(undefined)} />}
    </>
  );
}

function SessionItem({ session, onEnd }: { readonly session: OwnSession; readonly onEnd: () => void }) {
  const { client, current, created_at: created, last_used_at: used } = session;
  return (
    <Row
      title={client === 'web' ? texts.browser : texts.program}
      state={current && <Badge kind="good">{texts.here}</Badge>}
      details={`${texts.used(momentText(used))} · ${texts.signedIn(momentText(created))}`}
      actions={
        !current && (
          <Button kind="quiet" onPress={onEnd}>
            {texts.end}
          </Button>
        )
      }
    />
  );
}

function EndDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const act = async () => {
    await endSession(client, id);
    await queries.invalidateQueries({ queryKey: profileKeys.sessions });
    toast(texts.ended);
  };
  return (
    <ConfirmDialog
      title={texts.endTitle}
      text={texts.endText}
      confirm={texts.end}
      act={act}
      onClose={onClose}
    />
  );
}

/** The own session last, so that a failure before leaves the person signed in to try again. */
function EndAllDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const session = useSession();
  const act = async () => {
    const others = (await readSessions(client)).filter(({ current }) => !current);
    for (const { session_id: id } of others) await endSession(client, id);
    await session.end();
  };
  return (
    <ConfirmDialog
      title={texts.endAllTitle}
      text={texts.endAllText}
      confirm={texts.endAll}
      act={act}
      onClose={onClose}
    />
  );
}
