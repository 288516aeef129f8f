import { commonTexts } from '../../texts/common.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { Button } from '../../ui/button.js';
import { Badge } from '../../ui/list.js';
import { AppFacts } from './app-facts.js';
import { badges, canConnect, stateOf } from './app-state.js';
import { TakeOverButton } from './take-over-button.js';
import type { App, ListedApp } from './use-apps.js';

export type Task = 'connect' | 'disconnect' | 'usage' | 'secret';

interface Props {
  readonly app: ListedApp;
  readonly canManage: boolean;
  readonly onTask: (task: Task) => void;
}

/** An integration: what it does, its state, and what can be done with it. */
export function AppCard({ app, canManage, onTask }: Props) {
  const { name, description } = app;
  const state = stateOf(app);
  const hasUsage = state === 'connected' && app.app_id === 'chatapp';
  return (
    <section className="card stack" aria-label={name}>
      <div className="section-head">
        <h2>{name}</h2>
        <Badge kind={badges[state]}>{texts.statuses[state]}</Badge>
      </div>
      <p>{description}</p>
      {state === 'suspended' && <p className="remark">{texts.suspendedText}</p>}
      {state === 'unconnected' && <p className="remark">{texts.unconnectedText}</p>}
      {state === 'connected' && <p className="hint">{texts.use[app.app_id]}</p>}
      <AppFacts app={app} />
      {(hasUsage || canManage) && (
        <div className="actions">
          {hasUsage && <Act text={texts.people} name={name} act={() => onTask('usage')} />}
          {canManage && <Management app={app} onTask={onTask} />}
        </div>
      )}
    </section>
  );
}

function Management({ app, onTask }: { readonly app: App; readonly onTask: (task: Task) => void }) {
  const { name, app_id: appId, installed, remote_id: remote } = app;
  const state = stateOf(app);
  return (
    <>
      {state === 'suspended' && <TakeOverButton app={app} />}
      {canConnect(app) && (
        <Act
          isMain={state === 'absent' || state === 'unconnected'}
          text={state === 'connected' ? texts.connectAgain : texts.connect}
          name={name}
          act={() => onTask('connect')}
        />
      )}
      {state === 'connected' && appId === 'crmb' && (
        <Act text={texts.newSecret} name={name} act={() => onTask('secret')} />
      )}
      {installed && (
        <Act
          text={remote === null ? texts.remove : texts.disconnect}
          name={name}
          act={() => onTask('disconnect')}
        />
      )}
    </>
  );
}

interface ActProps {
  readonly text: string;
  readonly name: string;
  readonly act: () => void;
  readonly isMain?: boolean;
}

function Act({ text, name, act, isMain = false }: ActProps) {
  return (
    <Button kind={isMain ? 'main' : 'quiet'} label={commonTexts.actionOn(text, name)} onPress={act}>
      {text}
    </Button>
  );
}
