/** A direct message between two people, or of a person with the app. */
const isDirect = (conversation: string) => conversation.startsWith('D');
/** A person; ids of an organization's people begin with W. */
const isPerson = (conversation: string) => /^[UW]/.test(conversation);

const UNSEEN_DIRECT =
  'the app is not in this direct message, and nobody can invite it there. Choose the person instead of the conversation.';
const UNSEEN_PERSON = 'the app cannot write to this person. Choose a channel in which you both are.';
const UNSEEN =
  'the app is not in this conversation. In a channel, invite it with /invite first; instead of a group of people, choose each person.';

/** What a sender can do about an error that the same message would meet again; undefined for errors that pass. */
export function adviceOn(error: string | undefined, conversation: string): string | undefined {
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found':
    case 'user_not_found':
      return isDirect(conversation) ? UNSEEN_DIRECT : isPerson(conversation) ? UNSEEN_PERSON : UNSEEN;
    case 'is_archived':
      return 'the channel is archived. Choose another one.';
    case 'restricted_action':
      return 'the workspace does not let apps write there. Choose a person instead.';
    case 'cannot_dm_bot':
      return 'an app cannot read a secret. Choose a person.';
    case 'user_disabled':
      return 'this person has left the workspace.';
    default:
      return undefined;
  }
}
