import { Link } from '@tanstack/react-router';
import { newVaultTexts as texts } from '../../../texts/new-vault.js';

/** A key that was shown and that nobody has kept yet, with the way back to it. */
export function UnkeptKey({ vault }: { readonly vault: string }) {
  return (
    <section className="card stack">
      <p role="status">{texts.unkept(vault)}</p>
      <div className="actions">
        <Link className="button main" to="/vaults/new">
          {texts.toKey}
        </Link>
      </div>
    </section>
  );
}
