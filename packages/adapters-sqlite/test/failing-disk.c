/* A shim that is preloaded into a process. It makes calls fail that write below FAILING_DISK_FOLDER. The file FAILING_DISK_CONTROL has an error number, and
   "write" (half of the bytes are still written), "sync", or "change" (like a file system that was remounted read-only). If it is empty, nothing fails.
   With FAILING_DISK_DIES_AT, the process is killed before the call of this number that changes something there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_below(const char *path) {
  const char *folder = getenv("FAILING_DISK_FOLDER");
  return folder != NULL && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_open_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static void die_in_turn(void) {
  static int calls = 0;
  const char *last = getenv("FAILING_DISK_DIES_AT");
  if (last != NULL && __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == atoi(last)) kill(getpid(), SIGKILL);
}

/* Whether calls of this kind fail. If so, it sets errno. A read-only file system also rejects writes. */
static int fails(const char *kind) {
  const char *name = getenv("FAILING_DISK_CONTROL");
  char text[64] = "", wanted[16] = "";
  int number = 0;
  die_in_turn();
  int fd = name == NULL ? -1 : (int)REAL(open)(name, O_RDONLY);
  if (fd < 0) return 0;
  if (read(fd, text, sizeof text - 1) < 0) text[0] = 0;
  close(fd);
  if (sscanf(text, "%d %15s", &number, wanted) != 2) return 0;
  if (strcmp(wanted, kind) != 0 && !(strcmp(wanted, "change") == 0 && strcmp(kind, "write") == 0)) return 0;
  errno = number;
  return 1;
}

ssize_t write(int fd, const void *data, size_t count) {
  return is_open_below(fd) && fails("write") ? -1 : REAL(write)(fd, data, count);
}

/* Half of the bytes reach the disk, as when it gets full. */
static ssize_t half(int fd, const void *data, size_t count, off64_t offset) {
  int number = errno;
  REAL(pwrite64)(fd, data, count / 2, offset);
  errno = number;
  return -1;
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) {
  return is_open_below(fd) && fails("write") ? half(fd, data, count, offset) : REAL(pwrite)(fd, data, count, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t count, off64_t offset) {
  return is_open_below(fd) && fails("write") ? half(fd, data, count, offset) : REAL(pwrite64)(fd, data, count, offset);
}

int ftruncate64(int fd, off64_t length) {
  return is_open_below(fd) && fails("change") ? -1 : REAL(ftruncate64)(fd, length);
}

int fdatasync(int fd) {
  return is_open_below(fd) && fails("sync") ? -1 : REAL(fdatasync)(fd);
}

int fsync(int fd) {
  return is_open_below(fd) && fails("sync") ? -1 : REAL(fsync)(fd);
}

static int opens(const char *path, int flags) {
  return (flags & O_ACCMODE) != O_RDONLY && is_below(path) && fails("change");
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return opens(path, flags) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return opens(path, flags) ? -1 : REAL(open64)(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
  return is_below(path) && fails("change") ? -1 : REAL(mkdir)(path, mode);
}

char *mkdtemp(char *pattern) {
  return is_below(pattern) && fails("change") ? NULL : REAL(mkdtemp)(pattern);
}

int link(const char *from, const char *to) {
  return is_below(to) && fails("change") ? -1 : REAL(link)(from, to);
}

int rmdir(const char *path) {
  return is_below(path) && fails("change") ? -1 : REAL(rmdir)(path);
}

int unlink(const char *path) {
  return is_below(path) && fails("change") ? -1 : REAL(unlink)(path);
}

int rename(const char *from, const char *to) {
  return is_below(from) && fails("change") ? -1 : REAL(rename)(from, to);
}
