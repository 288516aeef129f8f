import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient, useMember } from '../../../session/session-context.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { dateText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { Failed, Loading } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { notifyKeys } from '../shared/notify-keys.js';

type Device = Schema<'PushToken'>;

/** A directory id has at most so many characters; a longer address has no devices. */
const ID_MAX = 128;

/** The devices of the own address and of the own id, under which an app may have registered them. */
function useDevices() {
  const client = useClient();
  const { user } = useMember();
  return useQuery({
    queryKey: notifyKeys.devices,
    queryFn: async ({ signal }) => {
      const names = [user.email, user.user_id].filter(({ length }) => length <= ID_MAX);
      const lists = names.map(async (name) => {
        const params = { query: { recipient_id: name } };
        return (await client.GET('/v1/push-tokens', { params, signal })).data.push_tokens;
      });
      return (await Promise.all(lists)).flat();
    },
  });
}

export function Devices() {
  return (
    <section className="card stack">
      <h2>{texts.devices}</h2>
      <p className="hint">{texts.devicesHint}</p>
      <Content />
    </section>
  );
}

function Content() {
  const devices = useDevices();
  const [removed, remove] = useState<Device>();
  if (devices.isPending) return <Loading />;
  if (devices.isError) return <Failed error={devices.error} retry={() => void devices.refetch()} />;
  if (devices.data.length === 0) return <p>{texts.noDevices}</p>;
  return (
    <>
      <List label={texts.devices} items={devices.data} keyOf={({ push_token_id: id }) => id}>
        {(device) => <DeviceItem device={device} onRemove={() => remove(device)} />}
      </List>
      {removed && <RemoveDialog device={removed} onClose={() => remove(undefined)} />}
    </>
  );
}

interface ItemProps {
  readonly device: Device;
  readonly onRemove: () => void;
}

function DeviceItem({
  device: { platform, created_at: created, token_ending: ending },
  onRemove,
}: ItemProps) {
  const name = texts.platforms[platform];
  return (
    <Row
      title={name}
      details={texts.since(dateText(created), ending)}
      actions={
        <Button kind="quiet" label={texts.removeOf(`${name}, ${ending}`)} onPress={onRemove}>
          {texts.remove}
        </Button>
      }
    />
  );
}

interface DialogProps {
  readonly device: Device;
  readonly onClose: () => void;
}

function RemoveDialog({ device: { push_token_id: id }, onClose }: DialogProps) {
  const client = useClient();
  const queries = useQueryClient();
  const act = async () => {
    await client.DELETE('/v1/push-tokens/{push_token_id}', { params: { path: { push_token_id: id } } });
    await queries.invalidateQueries({ queryKey: notifyKeys.devices });
    toast(texts.removed);
  };
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      text={texts.removeText}
      confirm={texts.remove}
      act={act}
      onClose={onClose}
    />
  );
}
