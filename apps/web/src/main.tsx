import './styles/main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { forgetKept, forgetStored, warnBeforeLoss } from './api/kept.js';
import { queryClient } from './api/query-client.js';
import { enter } from './session/enter.js';
import { AppSession } from './session/app-session.js';
import { SessionContext } from './session/session-context.js';
import { SignInEnd, SignInStart } from './session/sign-in-window.js';
import { ToastRegion } from './ui/toast.js';

const session = new AppSession();
const entered = enter(session);

// A page that the browser restores from its back/forward cache would show what belongs to a session that may have ended.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
session.subscribe(() => {
  const state = session.getState();
  if (state.status !== 'signed-out') return;
  if (state.isLeaving) forgetStored();
  queryClient.clear();
  forgetKept();
});
warnBeforeLoss();

const pages: Record<typeof entered, ReactNode> = {
  app: <App />,
  'sign-in-start': <SignInStart />,
  'sign-in-end': <SignInEnd />,
};

const element = document.getElementById('app');
if (!element) throw new Error('The document has no #app.');
createRoot(element).render(
  <StrictMode>
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        {pages[entered]}
        <ToastRegion />
      </QueryClientProvider>
    </SessionContext>
  </StrictMode>,
);
