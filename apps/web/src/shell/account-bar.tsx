import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../api/error-text.js';
import { useMember, useSession } from '../session/session-context.js';
import { commonTexts, placeTexts } from '../texts/common.js';
import { sessionTexts } from '../texts/session.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { toast } from '../ui/toast.js';

/** Who is signed in, for which organization, with a button that signs out. */
export function AccountBar() {
  const session = useSession();
  const { user, account } = useMember();
  const [isBusy, setBusy] = useState(false);
  const signOut = async () => {
    setBusy(true);
    try {
      await session.end();
    } catch (error) {
      setBusy(false);
      toast(errorText(error));
    }
  };
  return (
    <section className="account" aria-label={commonTexts.account}>
      <Link to="/profile" className="account-link">
        <Icon name="person" />
        <bdi className="account-name">{account.organization_name}</bdi>
        <bdi className="hint">{user.email}</bdi>
        <span className="visually-hidden">{placeTexts.profile}</span>
      </Link>
      <Button kind="quiet" isBusy={isBusy} onPress={() => void signOut()}>
        {sessionTexts.signOut}
      </Button>
    </section>
  );
}
