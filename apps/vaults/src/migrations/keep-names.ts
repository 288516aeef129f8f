import type { NamedTable } from './named-tables.js';

/**
 * A trigger that keeps `name_key` and `folded_name` of a table beside each other (ADR 45). This release writes `folded_name` alone, the
 * one before `name_key` alone.
 *
 * - An older instance writes a name: its `folded_name` follows.
 * - A newer instance writes a name: its `name_key` is the folded name, under which older instances find it unless the former rule
 *   changes it further.
 * - Two names that only the former rule takes for one: the later row gets a `name_key` that no name has.
 */
export function keepNames({ name: table, scope, condition }: NamedTable): string[] {
  const sameScope = scope.map(isSame).join(' AND ');
  const columns = ['name', 'name_key', 'folded_name', ...scope].join(', ');
  return [
    `CREATE OR REPLACE FUNCTION keep_names_of_${table}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
     BEGIN
       IF TG_OP = 'INSERT' THEN
         NEW.folded_name := coalesce(NEW.folded_name, fold_name(NEW.name));
         NEW.name_key := coalesce(NEW.name_key, NEW.folded_name);
       ELSIF NEW.name <> OLD.name THEN
         IF NEW.folded_name IS DISTINCT FROM OLD.folded_name THEN
           NEW.name_key := NEW.folded_name;
         ELSIF OLD.folded_name IS NULL OR fold_name(NEW.name) <> fold_name(OLD.name) THEN
           NEW.folded_name := fold_name(NEW.name);
         END IF;
       END IF;
       IF EXISTS (SELECT FROM ${table} o WHERE ${sameScope} AND o.name_key = NEW.name_key AND ${condition}
                     AND o.id <> NEW.id AND o.folded_name <> NEW.folded_name)
       THEN NEW.name_key := NEW.name_key || E'\\x01' || NEW.id; END IF;
       RETURN NEW;
     END $$`,
    `CREATE OR REPLACE TRIGGER keep_names BEFORE INSERT OR UPDATE OF ${columns} ON ${table}
       FOR EACH ROW EXECUTE FUNCTION keep_names_of_${table}()`,
  ];
}

/** In a form for which PostgreSQL uses an index, unlike `IS NOT DISTINCT FROM`. */
function isSame(column: string): string {
  return `(o.${column} = NEW.${column} OR (o.${column} IS NULL AND NEW.${column} IS NULL))`;
}
