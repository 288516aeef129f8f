import { Link } from '@tanstack/react-router';
import type { Schema } from '@vaultsvc/client';
import { usageTexts as texts } from '../../texts/usage.js';
import { bytesText } from '../../ui/format.js';
import { List, Row } from '../../ui/list.js';
import { Empty } from '../../ui/states.js';
import { Section } from './section.js';
import { useVaultFigures } from './use-usage.js';

type Vault = Schema<'VaultSummary'>;

const SHOWN = 5;

const drawOf = ({ storage_bytes: stored, total_bandwidth_bytes: transferred }: Vault) => stored + transferred;

/** The vaults that store and transfer most. */
export function DrawsSection() {
  return (
    <Section title={texts.draws} hint={texts.drawsHint} read={useVaultFigures()}>
      {({ vaults, has_more: hasMore }) =>
        vaults.length === 0 ? (
          <Empty icon="vault" text={texts.noVaults} />
        ) : (
          <>
            <Draws vaults={vaults} />
            {hasMore && <p className="hint">{texts.drawsSome(vaults.length)}</p>}
          </>
        )
      }
    </Section>
  );
}

function Draws({ vaults }: { readonly vaults: readonly Vault[] }) {
  const largest = vaults.toSorted((one, other) => drawOf(other) - drawOf(one)).slice(0, SHOWN);
  return (
    <List label={texts.draws} items={largest} keyOf={({ vault_id: id }) => id}>
      {(vault) => (
        <Row
          title={
            <Link className="row-link" to="/vaults/$vaultId" params={{ vaultId: vault.vault_id }}>
              <bdi>{vault.name}</bdi>
            </Link>
          }
          details={`${texts.stores(bytesText(vault.storage_bytes))} · ${texts.transfers(bytesText(vault.total_bandwidth_bytes))}`}
        />
      )}
    </List>
  );
}
