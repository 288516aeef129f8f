import { Email, Name, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { roles, seats } from './session.js';
import { User } from './user.js';

export class Invitation {
  @Email() email: string;
  @Name({ max: 255, optional: true, description: 'Until the first sign-in gives one.' }) name?: string;
  @OneOf(roles, { optional: true }) role: (typeof roles)[number] = 'member';
  @OneOf(seats, { optional: true }) seat: (typeof seats)[number] = 'full';
}

export const inviteUser = operation({
  name: 'auth.invite-user',
  summary: 'Invites a person by e-mail. Whoever signs in with the address belongs to the account at once.',
  http: { method: 'POST', path: '/v1/users', status: 201 },
  access: { credential: 'key', role: 'admin' },
  body: Invitation,
  reply: User,
  errors: ['EMAIL_TAKEN', 'DOMAIN_CLAIMED', 'SEATS_EXHAUSTED', 'INVITATIONS_EXHAUSTED'],
});
