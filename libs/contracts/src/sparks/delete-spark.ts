import { operation } from '../core/operation.js';
import { SparkPath } from './read-spark.js';

/**
 * Removes an unread Spark with its link. Idempotent: an unknown, foreign or malformed id and a burned Spark are
 * answered alike (AMB-04, AMB-05). 409 while a read is in flight.
 */
export const deleteSpark = operation({
  name: 'sparks.delete',
  summary:
    'Deletes an unread Spark and its link. Deleting what is not there, or is burned, succeeds and changes nothing.',
  http: { method: 'DELETE', path: '/v1/sparks/{spark_id}', status: 204 },
  access: { credential: 'key' },
  params: SparkPath,
  unknown: 'no-content',
  errors: ['SPARK_READ_IN_FLIGHT'],
});
