/* How often each letter occurs: chunks of a text to all, counts back. */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text = "it is a truth universally acknowledged that a program in possession of "
                          "many ranks must be in want of a collective";

int main(int argc, char **argv) {
  int my_id, procs, letters[26], all_letters[26], words = 0, all_words = 0;
  char *book = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_id);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  int chunk = (int)strlen(text) / procs;
  if (my_id == 0) {
    book = malloc(strlen(text) + 1);
    strcpy(book, text);
  }
  char *part = malloc(chunk);
  MPI_Scatter(book, chunk, MPI_CHAR, part, chunk, MPI_CHAR, 0, MPI_COMM_WORLD); /*@text*/
  for (int i = 0; i < 26; i++)
    letters[i] = 0;
  for (int i = 0; i < chunk; i++) {
    if (part[i] >= 'a' && part[i] <= 'z')
      letters[part[i] - 'a']++;
  }
  MPI_Reduce(letters, all_letters, 26, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@letters*/
  if (my_id == 0)
    for (int i = 0; i < 26; i++)
      if (all_letters[i] > 0)
        printf("%c: %d\n", 'a' + i, all_letters[i]);

  int flag = part[0] == ' ';
  for (int i = 1; i < chunk; i++)
    if (isspace((unsigned char)part[i]) && !isspace((unsigned char)part[i - 1]))
      words++;
  words += flag;
  MPI_Reduce(&words, &all_words, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@words*/
  if (my_id == 0)
    printf("about %d words\n", all_words + 1);
  if (my_id == 0)
    free(book);
  free(part);
  MPI_Finalize();
  return 0;
}
