export { credentialKeyCheck, poolKeyCheck, redisCheck } from './redis-checks.js';
