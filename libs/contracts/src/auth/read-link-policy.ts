import { Flag, IdOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class LinkPolicyQuestion {
  @IdOf('acc') account_id: string;
}

export class LinkPolicy {
  @Flag({ description: 'The setting `links_ask_first`: a visitor clicks before a link is opened.' })
  asks_first: boolean;
  @Text({ max: 255, description: 'Of the organization, for messages.' }) organization_name: string;
}

/** What the account of a link wants of its visitors. An unknown account asks for nothing and has no name. */
export const readLinkPolicy = operation({
  name: 'auth.read-link-policy',
  summary: "An account's wishes for its SparkLinks.",
  access: 'internal',
  body: LinkPolicyQuestion,
  reply: LinkPolicy,
  repeatable: true,
});
