import { RouterProvider } from '@tanstack/react-router';
import { router } from './router.js';
import { SessionSteps } from './session/session-steps.js';
import { Brand } from './shell/brand.js';
import { useSessionState } from './session/session-context.js';

/** The places for a signed-in person; before that, what leads there. */
export function App() {
  const { status } = useSessionState();
  const isOpen = status === 'open';
  return isOpen ? (
    <RouterProvider router={router} />
  ) : (
    <div className="outside">
      <header>
        <Brand />
      </header>
      <main>
        <SessionSteps />
      </main>
    </div>
  );
}
