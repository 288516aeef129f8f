import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ApiError } from '@vaultsvc/client';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { takeReturnedQuery } from '../../session/returned-query.js';
import { useClient, useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { returnTexts as texts } from '../../texts/integrations.js';
import { Page } from '../../ui/page.js';
import { Problem, Refused } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { completeConnection } from './complete-connection.js';
import { takePending } from './pending-connection.js';
import { answerOf } from './returned-answer.js';
import { integrationsKey } from './use-apps.js';

/** Where a provider leads back after its consent page; it leads on to Integrations. */
export function Place() {
  const isAllowed = isManager(useMember());
  return <Page title={texts.title}>{isAllowed ? <Completion /> : <Refused text={texts.notYours} />}</Page>;
}

function Completion() {
  const problem = useCompletion();
  if (problem === undefined)
    return (
      <p className="starting" role="status">
        {texts.busy}
      </p>
    );
  return (
    <section className="card stack">
      <h2>{texts.failed}</h2>
      <Problem>{problem}</Problem>
      <p>
        <Link to="/integrations">{texts.back}</Link>
      </p>
    </section>
  );
}

/**
 * Completes the connection, and opens Integrations. A code can be exchanged once, so that a failure leads to another start.
 * @returns what is wrong
 */
function useCompletion(): string | undefined {
  const { appId } = useParams({ strict: false }) as { readonly appId?: string };
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const isBegun = useRef(false);
  useEffect(() => {
    // React's strict mode runs effects twice.
    if (isBegun.current) return;
    isBegun.current = true;
    const answer = answerOf(appId, takeReturnedQuery(), takePending());
    if (answer.problem !== undefined) return setProblem(answer.problem);
    completeConnection(client, answer.pending, answer.code).then(
      async () => {
        await queries.invalidateQueries({ queryKey: integrationsKey });
        await navigate({ to: '/integrations', replace: true });
        toast(texts.connected);
      },
      (error: unknown) => setProblem(explain(error)),
    );
  }, [appId, client, queries, navigate]);
  return problem;
}

/** A refused code is 401, too, which is otherwise the end of the session. */
function explain(error: unknown): string {
  return error instanceof ApiError && error.reason === 'APP_GRANT_REFUSED' ? texts.grant : errorText(error);
}
