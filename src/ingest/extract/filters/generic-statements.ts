/** Advice that every model gives unasked: a fact that is no more than this is not worth a place (R5). */

export const GENERIC_STATEMENTS: readonly string[] = `
Always write tests for new code.
Run the tests before committing.
Run the linter before pushing changes.
Write clear and descriptive commit messages.
Keep functions small and focused on one task.
Use meaningful variable and function names.
Follow the existing code style of the project.
Read the error message carefully before changing code.
Check the logs when something fails.
Handle errors properly instead of ignoring them.
Validate user input before using it.
Never commit secrets or credentials to the repository.
Use environment variables for configuration.
Keep dependencies up to date.
Add comments to explain complex code.
Document public functions and modules.
Refactor duplicated code into shared functions.
Avoid premature optimization.
Measure performance before optimizing.
Use version control for all changes.
Make small, incremental changes.
Review the changes before merging them.
Back up data before running a migration.
Test edge cases and error conditions.
Use type annotations to catch errors early.
Avoid global state where possible.
Prefer composition over inheritance.
Close files and connections after use.
Use prepared statements to prevent SQL injection.
Cache the results of expensive operations.
Use pagination for large result sets.
Add an index to speed up slow queries.
Use transactions when several writes belong together.
Check for null values before using them.
Use asynchronous operations for input and output.
Avoid blocking the main thread.
Log enough context to debug problems.
Monitor the application in production.
Use feature flags to release changes gradually.
Restart the server after changing the configuration.
Clear the cache when results look stale.
Reinstall dependencies when the build behaves strangely.
Make sure the required packages are installed.
Check that the service is running.
Read the documentation of a library before using it.
Search the codebase for existing solutions first.
Understand the requirements before starting to implement.
Break a large problem into smaller steps.
Verify that a fix works before reporting success.
Reproduce a bug before fixing it.
Find the root cause rather than treating symptoms.
Write a failing test before fixing a bug.
Do not change unrelated code in the same commit.
Ask the user when the requirements are unclear.
Confirm with the user before destructive actions.
Keep the user informed about progress.
Use consistent formatting across the project.
Remove unused imports and dead code.
Avoid magic numbers; use named constants.
Prefer readability over cleverness.
Use the right data structure for the problem.
Keep the configuration separate from the code.
Do not repeat yourself.
Use dependency injection to make code testable.
Mock external services in unit tests.
Run a type check after changing types.
Set a timeout on network requests.
Retry failed network requests with backoff.
Encrypt sensitive data at rest and in transit.
Limit permissions to what is necessary.
Sanitize output to prevent cross-site scripting.
Check return values and exit codes.
Use a virtual environment for Python projects.
Pin dependency versions for reproducible builds.
Write documentation for new features.
Update the documentation when behavior changes.
Use descriptive names for branches.
Resolve merge conflicts carefully.
Double-check joins and filters in a query.
Check the data types of columns before comparing them.
Look at a sample of the data before analyzing it.
Be careful with time zones when comparing dates.
`
  .trim()
  .split("\n");
