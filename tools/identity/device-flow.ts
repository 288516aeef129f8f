import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { devicePage } from './pages/device.ts';
import type { Page } from './pages/page.ts';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/**
 * The device flow of oidc-provider (RFC 8628), for the CLI: the person enters a code that the other device shows, confirms
 * it, and signs in. The forms come from the provider, with their protection against forged requests.
 */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  async userCodeInputSource(ctx, form, _, error) {
    const problem = error && 'This code is wrong, used or expired. Enter the current one.';
    show(ctx, devicePage({ title: 'Enter the code', form, formId: 'op.deviceInputForm', problem }));
  },
  async userCodeConfirmSource(ctx, form, _client, _device, userCode) {
    const text = 'Does your terminal show this code? Whoever shows it will be signed in as you.';
    show(
      ctx,
      devicePage({ title: 'Confirm the code', text, code: userCode, form, formId: 'op.deviceConfirmForm' }),
    );
  },
  async successSource(ctx) {
    const text = 'You are signed in on the other device. You can close this page.';
    show(ctx, devicePage({ title: 'Done', text }));
  },
};

function show(ctx: KoaContextWithOIDC, { text, policy }: Page) {
  ctx.set('content-security-policy', policy);
  ctx.type = 'html';
  ctx.body = text;
}
