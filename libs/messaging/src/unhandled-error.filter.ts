import { Catch, type ExceptionFilter } from '@nestjs/common';

/**
 * The last exception filter: throws an error unchanged. Nest would replace every error that no filter handles; the caller
 * is to get the declared reason, and the log the cause.
 */
@Catch()
export class UnhandledErrorFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}
