import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { durationText } from '../../../texts/common.js';
import { sharesTexts as texts } from '../../../texts/shares.js';
import { Button } from '../../../ui/button.js';
import { copy } from '../../../ui/copy.js';
import { Field } from '../../../ui/field.js';
import { momentText } from '../../../ui/format.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { Select } from '../../../ui/select.js';
import { toast } from '../../../ui/toast.js';
import { addressOf } from '../../../ui/typed-address.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { useWork } from '../../../ui/use-work.js';

type Created = Schema<'CreatedIngotLink'>;

const lifetimes = ['86400', '14400', '3600', '900', '300'] as const;

interface Props {
  readonly ingotId: string;
  /** Whether a link is shown, which is not shown again. */
  readonly onShown: (isShown: boolean) => void;
}

/** Creates a link that opens once; withdraws it while the dialog is open. */
export function OneTimeLink({ ingotId, onShown }: Props) {
  const { client, vaultId } = useOpenVault();
  const [seconds, setSeconds] = useState<(typeof lifetimes)[number]>('86400');
  const [created, setCreated] = useState<Created>();
  const show = (link: Created | undefined) => {
    setCreated(link);
    onShown(link !== undefined);
  };
  const { isBusy, problem, run } = useWork();
  const create = () =>
    run(async () => {
      const { data } = await client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks', {
        params: { path: { vault_id: vaultId, ingot_id: ingotId } },
        body: { expires_in_seconds: Number(seconds) },
      });
      show(data);
    });
  if (created) return <CreatedLink ingotId={ingotId} link={created} onWithdrawn={() => show(undefined)} />;
  return (
    <>
      <Select
        label={texts.expiry}
        value={seconds}
        onChange={setSeconds}
        options={lifetimes.map((value) => ({ value, text: durationText(Number(value)) }))}
      />
      {problem}
      <Button isBusy={isBusy} onPress={create}>
        {texts.create}
      </Button>
    </>
  );
}

interface CreatedProps {
  readonly ingotId: string;
  readonly link: Created;
  readonly onWithdrawn: () => void;
}

function CreatedLink({ ingotId, link, onWithdrawn }: CreatedProps) {
  const { client } = useOpenVault();
  const { isBusy, problem, run } = useWork();
  const withdraw = () =>
    run(async () => {
      await client.DELETE('/v1/sparklinks/{link_code}', { params: { path: { link_code: link.link_code } } });
      toast(texts.withdrawn);
      onWithdrawn();
    });
  return (
    <>
      <SecretValue label={texts.link} value={link.link_url} />
      <p className="hint">
        {texts.until(momentText(link.expires_at))} {texts.linkOnce}
      </p>
      <Button icon="copy" onPress={() => void copy(link.link_url)}>
        {texts.copy}
      </Button>
      <Delivery ingotId={ingotId} code={link.link_code} />
      {problem}
      <Button kind="quiet" isBusy={isBusy} onPress={withdraw}>
        {texts.withdraw}
      </Button>
    </>
  );
}

/** Sends the link to somebody. */
function Delivery({ ingotId, code }: { readonly ingotId: string; readonly code: string }) {
  const { client, vaultId } = useOpenVault();
  const [identity, setIdentity] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { isBusy, problem, run } = useWork();
  const deliver = () => {
    const address = addressOf(identity);
    setWrong(address === undefined);
    if (address === undefined) return;
    run(async () => {
      const { data } = await client.POST(
        '/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver',
        { params: { path: { vault_id: vaultId, ingot_id: ingotId, code } }, body: { identity: address } },
      );
      toast(data.delivered ? texts.sent(data.identity) : texts.unconfigured);
      if (data.delivered) setIdentity('');
    });
  };
  return (
    <>
      <Field
        label={texts.deliver}
        hint={texts.deliverHint}
        value={identity}
        onChange={setIdentity}
        problem={isWrong ? texts.notAnAddress(identity.trim()) : undefined}
        autoComplete="off"
        maxLength={254}
      />
      {problem}
      {identity.trim() !== '' && (
        <Button kind="quiet" isBusy={isBusy} onPress={deliver}>
          {texts.send}
        </Button>
      )}
    </>
  );
}
