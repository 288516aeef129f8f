import { Link } from '@tanstack/react-router';
import { useMember } from '../../../session/session-context.js';
import { feedTexts as texts } from '../../../texts/notify-feed.js';
import { momentText } from '../../../ui/format.js';
import { Badge, Row } from '../../../ui/list.js';
import { linkOf, type FeedEntry } from './feed-store.js';

interface Props {
  readonly entry: FeedEntry;
  readonly isNew: boolean;
}

/** An entry. Only the person whom it is for gets its link: it opens once. */
export function FeedItem({ entry, isNew }: Props) {
  const { user } = useMember();
  const { recipient, title, category, created_at: created, expires_at: expires, send_id: sendId } = entry;
  const isMine = recipient.toLowerCase() === user.email.toLowerCase();
  const hasEnded = expires * 1_000 < Date.now();
  const link = isMine && !hasEnded ? linkOf(entry) : undefined;
  const name = title ?? texts.untitled;
  const details = [
    !isMine && texts.to(recipient),
    momentText(created),
    category,
    hasEnded && texts.ended(momentText(expires)),
  ];
  return (
    <Row
      title={<bdi>{name}</bdi>}
      state={
        (isMine && <Badge kind="good">{texts.forYou}</Badge>) ||
        (isNew && <Badge kind="plain">{texts.isNew}</Badge>)
      }
      details={details.filter(Boolean).join(' · ')}
      actions={<Actions name={name} link={link} sendId={sendId} />}
    />
  );
}

interface ActionsProps {
  readonly name: string;
  readonly link: string | undefined;
  readonly sendId: string;
}

function Actions({ name, link, sendId }: ActionsProps) {
  return (
    <>
      {link !== undefined && (
        <a
          className="button main"
          href={link}
          target="_blank"
          rel="noreferrer"
          aria-label={texts.openLabel(name)}
        >
          {texts.open}
        </a>
      )}
      <Link
        className="button quiet"
        to="/notifications/sends/$sendId"
        params={{ sendId }}
        aria-label={texts.statusLabel(name)}
      >
        {texts.status}
      </Link>
    </>
  );
}
