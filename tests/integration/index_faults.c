/* Faults of a disk, for tests: counts what a program does to the files of an index, and lets one of these steps fail.
 *
 * FAULT_PART   a part of the path of the files that count
 * FAULT_AT     the number of the step, from 1
 * FAULT_KIND   error: it fails; full: there is no space, and only writes count; kill: the program is killed before it; lose: the
 *              same, and what was written since the last sync of each file is lost; log, index: the same, of the log of
 *              the index alone, or of all but that; exit: what was not synced is lost when the program has ended
 * FAULT_DONE   a file that is made when the step was reached
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct change {
    char path[PATH_MAX];
    off_t at, size;
    size_t len;
    char *before;
    struct change *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct change *changes;
static long steps;

/* The path of an open file that counts; 0 for any other. */
static int path_of(int fd, char *path) {
    char link[64];
    const char *part = getenv("FAULT_PART");
    ssize_t len;
    if (!part) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    len = readlink(link, path, PATH_MAX - 1);
    if (len <= 0) return 0;
    path[len] = 0;
    return strstr(path, part) && !strstr(path, "-shm");
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void find(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
}

/* Loses what was not synced of the files that a kind of fault is about. */
static void lose(const char *kind) {
    for (struct change *change = changes; change; change = change->next) {
        int is_log = strstr(change->path, "-wal") != 0;
        if ((is_log && !strcmp(kind, "index")) || (!is_log && !strcmp(kind, "log"))) continue;
        int fd = open(change->path, O_RDWR);
        if (fd < 0) continue;
        if (change->len) real_pwrite(fd, change->before, change->len, change->at);
        if (real_ftruncate(fd, change->size)) _exit(99);
        close(fd);
    }
}

__attribute__((destructor)) static void end(void) {
    const char *kind = getenv("FAULT_KIND");
    if (kind && !strcmp(kind, "exit")) lose(kind);
}

/* Counts a step; returns an error number when it is to fail. */
static int step(int is_write) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND"), *done = getenv("FAULT_DONE");
    if (!at || !kind || !strcmp(kind, "exit") || (!is_write && !strcmp(kind, "full")) || ++steps != atol(at)) return 0;
    if (done) close(open(done, O_CREAT | O_WRONLY, 0600));
    if (!strcmp(kind, "error")) return EIO;
    if (!strcmp(kind, "full")) return ENOSPC;
    if (strcmp(kind, "kill")) lose(kind);
    raise(SIGKILL);
    return EIO;
}

static void remember(const char *path, int fd, size_t len, off_t at) {
    struct stat status;
    const char *kind = getenv("FAULT_KIND");
    if (!kind || !strcmp(kind, "error") || !strcmp(kind, "full") || !strcmp(kind, "kill") || fstat(fd, &status)) return;
    struct change *change = calloc(1, sizeof *change);
    strcpy(change->path, path);
    change->at = at;
    change->size = status.st_size;
    change->before = malloc(len ? len : 1);
    int reading = open(path, O_RDONLY);
    ssize_t old = reading < 0 ? -1 : pread(reading, change->before, len, at);
    if (reading >= 0) close(reading);
    change->len = old > 0 ? (size_t)old : 0;
    change->next = changes;
    changes = change;
}

static void keep(const char *path) {
    struct change **place = &changes;
    while (*place) {
        struct change *change = *place;
        if (strcmp(change->path, path)) {
            place = &change->next;
        } else {
            *place = change->next;
            free(change->before);
            free(change);
        }
    }
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off_t at) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real_pwrite(fd, bytes, len, at);
    pthread_mutex_lock(&lock);
    int fault = step(1);
    if (!fault) remember(path, fd, len, at);
    ssize_t written = fault ? -1 : real_pwrite(fd, bytes, len, at);
    pthread_mutex_unlock(&lock);
    if (fault) errno = fault;
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at) {
    return pwrite64(fd, bytes, len, at);
}

ssize_t write(int fd, const void *bytes, size_t len) {
    char path[PATH_MAX];
    if (!real_write) find();
    if (!path_of(fd, path)) return real_write(fd, bytes, len);
    pthread_mutex_lock(&lock);
    int fault = step(1);
    if (!fault) remember(path, fd, len, lseek(fd, 0, SEEK_CUR));
    ssize_t written = fault ? -1 : real_write(fd, bytes, len);
    pthread_mutex_unlock(&lock);
    if (fault) errno = fault;
    return written;
}

int ftruncate64(int fd, off_t size) {
    char path[PATH_MAX];
    struct stat status;
    if (!path_of(fd, path)) return real_ftruncate(fd, size);
    pthread_mutex_lock(&lock);
    int fault = step(0);
    if (!fault && !fstat(fd, &status)) {
        off_t from = size < status.st_size ? size : status.st_size;
        remember(path, fd, status.st_size - from, from);
    }
    int done = fault ? -1 : real_ftruncate(fd, size);
    pthread_mutex_unlock(&lock);
    if (fault) errno = fault;
    return done;
}

int ftruncate(int fd, off_t size) {
    return ftruncate64(fd, size);
}

static int sync_with(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real(fd);
    pthread_mutex_lock(&lock);
    int fault = step(0);
    int done = fault ? -1 : real(fd);
    if (!done) keep(path);
    pthread_mutex_unlock(&lock);
    if (fault) errno = fault;
    return done;
}

int fsync(int fd) {
    return sync_with(fd, real_fsync);
}

int fdatasync(int fd) {
    return sync_with(fd, real_fdatasync);
}
