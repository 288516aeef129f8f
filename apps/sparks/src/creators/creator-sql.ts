/** The columns by which `sparks` and `sparklinks` know the creator of a row. */
export const CREATOR_COLUMNS = 'creator_id, creator';

/** SQL for the values of `CREATOR_COLUMNS`, from a placeholder with the JSON of an actor: `ActorFields` or `LinkActor`. */
export function creatorOfActor(actor: string): string {
  return `${actor}::jsonb ->> 'actor_id', ${actor}::jsonb -> 'actor'`;
}
