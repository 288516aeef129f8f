import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { findPasskeys, type EnrolledIdentities } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { PasskeySubjects } from './passkey-subjects.js';
import { PasskeyRepository } from './passkey.repository.js';

@Controller()
export class FindPasskeys {
  constructor(
    private readonly subjects: PasskeySubjects,
    private readonly passkeys: PasskeyRepository,
  ) {}

  @Handles(findPasskeys)
  async handle({ body }: Input<typeof findPasskeys>): Promise<EnrolledIdentities> {
    const subjects = await this.subjects.of(body.account_id, body.identities);
    const areEnrolled = await this.passkeys.areEnrolled(subjects);
    return { identities: body.identities.filter((_, index) => areEnrolled[index]) };
  }
}
