import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from '@vaultsvc/client';
import type { AppSession } from './app-session.js';
import type { Member, SessionState } from './session-state.js';

export const SessionContext = createContext<AppSession | undefined>(undefined);

export function useSession(): AppSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session above this component.');
  return session;
}

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.getState);
}

/** The client of the API, in the session of the person. */
export function useClient(): Client {
  return useSession().client;
}

/** The signed-in person; places are shown to nobody else. */
export function useMember(): Member {
  const state = useSessionState();
  if (state.status !== 'open') throw new Error('Nobody is signed in.');
  return state.me;
}
