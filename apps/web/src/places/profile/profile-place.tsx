import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { Page } from '../../ui/page.js';
import { Failed, Loading } from '../../ui/states.js';
import { ProfileForm } from './profile-form.js';
import { profileKeys } from './profile-keys.js';
import { Sessions } from './sessions.js';

/** The signed-in person: name, address, rights, devices and sessions. */
export function Place() {
  return (
    <Page title={texts.title} hint={texts.hint}>
      <div className="sections">
        <Profile />
        <Sessions />
        <section className="card stack">
          <h2>{texts.devices}</h2>
          <p>{texts.devicesText}</p>
          <p className="hint">{texts.devicesSignIn}</p>
        </section>
      </div>
    </Page>
  );
}

function Profile() {
  const client = useClient();
  const profile = useQuery({
    queryKey: profileKeys.profile,
    queryFn: async ({ signal }) => (await client.GET('/v1/profile', { signal })).data,
  });
  if (profile.isPending) return <Loading />;
  if (profile.isError) return <Failed error={profile.error} retry={() => void profile.refetch()} />;
  return <ProfileForm profile={profile.data} />;
}
